"""Tests of the installed package. `npm test` builds it, installs it and runs them: test/client/python.test.ts."""
