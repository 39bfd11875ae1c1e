/** The version of every program of this project; deno.json has the same. */
export const VERSION = "0.1.0";
