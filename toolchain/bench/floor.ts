/** What no hook can do without: it reads its event and parses it. */
import { readStdin } from "../../lib/io/stdin.ts";

JSON.parse(new TextDecoder().decode(readStdin()));
