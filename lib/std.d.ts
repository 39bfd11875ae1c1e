// The types of what this project uses of @std: the npm package that carries it here ships none.

declare module "@std/path" {
  export function basename(path: string, suffix?: string): string;
  export function dirname(path: string): string;
  export function fromFileUrl(url: string | URL): string;
  export function join(...paths: string[]): string;
  export function relative(from: string, to: string): string;
  export function resolve(...paths: string[]): string;
  export function globToRegExp(
    glob: string,
    options?: {
      extended?: boolean;
      globstar?: boolean;
      os?: "linux" | "darwin" | "windows";
      caseInsensitive?: boolean;
    },
  ): RegExp;
}

declare module "@std/path/posix" {
  export function isAbsolute(path: string): boolean;
  export function join(...paths: string[]): string;
  export function normalize(path: string): string;
  export function globToRegExp(
    glob: string,
    options?: { extended?: boolean; globstar?: boolean; caseInsensitive?: boolean },
  ): RegExp;
}

declare module "@std/path/windows" {
  export function isAbsolute(path: string): boolean;
  export function join(...paths: string[]): string;
  export function normalize(path: string): string;
}

declare module "@std/assert" {
  export function assert(value: unknown, message?: string): asserts value;
  export function assertEquals<T>(actual: T, expected: T, message?: string): void;
  export function assertNotEquals<T>(actual: T, expected: T, message?: string): void;
  export function assertMatch(actual: string, expected: RegExp, message?: string): void;
  export function assertNotMatch(actual: string, expected: RegExp, message?: string): void;
  export function assertStringIncludes(actual: string, expected: string, message?: string): void;
  export function assertThrows(
    run: () => unknown,
    // deno-lint-ignore no-explicit-any -- the constructors of errors take any arguments
    kind?: new (...parts: any[]) => Error,
    includes?: string,
    message?: string,
  ): Error;
  export function fail(message?: string): never;
}

declare module "@std/cli/parse-args" {
  export interface ParseArgsOptions {
    readonly boolean?: readonly string[];
    readonly string?: readonly string[];
    readonly alias?: Readonly<Record<string, string>>;
    readonly stopEarly?: boolean;
    readonly unknown?: (argument: string, key?: string, value?: unknown) => unknown;
  }
  export function parseArgs(
    args: readonly string[],
    options?: ParseArgsOptions,
  ): { _: (string | number)[]; [key: string]: unknown };
}

declare module "@std/yaml/parse" {
  export function parse(text: string): unknown;
}

declare module "@std/toml/parse" {
  export function parse(text: string): Record<string, unknown>;
}
