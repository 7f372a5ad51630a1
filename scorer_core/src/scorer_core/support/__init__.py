"""What has nothing to do with scorers: the one loop, digests, secrets, logs."""
