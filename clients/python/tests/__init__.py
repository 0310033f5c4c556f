"""Tests of the installed package. test/client/python.long.test.ts builds it, installs it and runs them."""
