"""Template packs looked at without a judge: what they override, say, get wrong and change."""
