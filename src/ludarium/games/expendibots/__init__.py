"""Expendibots (A. Kues, M. Farrugia-Roberts, University of Melbourne, 2020): stacks that move and explode on an 8×8 board."""
