// The page of a game that there is no more: nobody can go on playing it.

import { forgetGame } from "./unfinished.js";

forgetGame(location.pathname.split("/").at(-1));
