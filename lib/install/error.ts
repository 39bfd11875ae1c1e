/** What keeps something from being installed or taken out; the message says where and why. */
export class InstallError extends Error {
  override readonly name = "InstallError";
}
