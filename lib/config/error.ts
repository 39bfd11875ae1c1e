/** A configuration file that cannot be obeyed; the message has its path, the line and what is wrong. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}
