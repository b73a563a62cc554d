"""The course's online battleground: a server of its BOOM protocol, and players that join one."""
