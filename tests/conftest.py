"""Settings of all tests."""

from hypothesis import settings

settings.register_profile("untimed", deadline=None)  # a busy machine is slow, not wrong
settings.load_profile("untimed")
