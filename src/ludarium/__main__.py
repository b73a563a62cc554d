"""``python -m ludarium`` is the program ``ludarium``."""

from ludarium.cli import main

if __name__ == "__main__":
    main()
