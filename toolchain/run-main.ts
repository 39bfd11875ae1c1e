/** Runs a script with its arguments. What goes wrong is told in a line, and is exit code 1. */
export async function runMain(main: (args: readonly string[]) => Promise<void>): Promise<void> {
  try {
    await main(Deno.args);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    console.error(error.message);
    Deno.exit(1);
  }
}
