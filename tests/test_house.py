def test_a():
    import scorer_core

    assert scorer_core.Run
