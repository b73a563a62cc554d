"""The program, ended by SIGALRM when it takes too long."""

import os
import signal

from ludarium.cli import main

signal.alarm(int(os.environ["ALARM"]))
main()
