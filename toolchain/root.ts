import { dirname, fromFileUrl } from "@std/path";

/** The folder of the checkout. */
export const root: string = dirname(dirname(fromFileUrl(import.meta.url)));
