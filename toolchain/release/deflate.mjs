// Run by Bun: deflates what it reads with libdeflate, and checks that it inflates to the same.
import { inflateRawSync } from "node:zlib";

const bytes = new Uint8Array(await Bun.stdin.arrayBuffer());
const deflated = Bun.deflateSync(bytes, { library: "libdeflate", level: 12 });
if (!inflateRawSync(deflated).equals(bytes)) {
  throw new Error("what was deflated does not inflate to the same");
}
await Bun.write(Bun.stdout, deflated);
