// What a hook in Node cannot do without: it reads its event and parses it.
import { readFileSync } from "node:fs";

JSON.parse(readFileSync(0, "utf8"));
