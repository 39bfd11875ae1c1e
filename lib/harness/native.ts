import { type Call, EventError, type Harness } from "../contract/call.ts";
import * as z from "zod/mini";
import { checkShape } from "../contract/shape.ts";
import { describe, strings } from "./shape.ts";

const eventShape = () =>
  z.looseObject({
    target: z.string(),
    cwd: z.optional(z.string()),
    payload: z.union([z.looseObject({}), z.array(z.unknown()), z.string()]),
  });

/** The plain JSON of a pipeline's own call: `{target, cwd, payload, budget}`. */
export const native: Harness = {
  name: "native",
  recognises: (event) => Object.hasOwn(event, "target") || Object.hasOwn(event, "payload"),
  answersUnnamed: true,
  allow: "allow\n",
  deny: () => "deny\n",
  read(event): Call {
    const parsed = checkShape(eventShape(), event);
    if (!parsed.success) throw new EventError(describe(parsed.error));
    const { target, cwd, payload } = parsed.data;
    return {
      cwd: cwd ?? "",
      root: "cwd",
      folders: [],
      destinations: [{ field: "target", path: target, change: {} }],
      commands: [],
      texts: strings(payload, "payload").map((text) => ({ ...text, destination: 0 })),
      payload,
      ...(Object.hasOwn(event, "budget") ? { spending: { budget: event.budget } } : {}),
    };
  },
};
