import { createHash } from "node:crypto";
import { Buffer } from "node:buffer";
import type { Pinned } from "../runtime.ts";
import type { Package, Part, RuntimeParts } from "./licenses.ts";

type Json = string | number | readonly Json[] | { readonly [key: string]: Json };

function licenses(expression: string): Json {
  return [/\s/.test(expression) ? { expression } : { license: { id: expression } }];
}

/** Where npm has a package, in the words of package URLs. */
function packageUrl(name: string, version: string): string {
  return `pkg:npm/${name.replace("@", "%40")}@${version}`;
}

/** A digest of npm's lock files, `sha512-…`. */
function hashes(integrity: string): Json {
  const [, base64 = ""] = /^sha512-(.+)$/.exec(integrity) ?? [];
  if (base64 === "") throw new Error(`Cannot list a package by its digest: "${integrity}" is no SHA-512`);
  return [{ alg: "SHA-512", content: Buffer.from(base64, "base64").toString("hex") }];
}

function npmComponent(type: string, name: string, { version, integrity, license }: {
  version: string;
  integrity: string;
  license: string;
}): { readonly "bom-ref": string; readonly [key: string]: Json } {
  const purl = packageUrl(name, version);
  return {
    type,
    "bom-ref": purl,
    name,
    version,
    hashes: hashes(integrity),
    licenses: licenses(license),
    purl,
  };
}

function linked({ name, license, url, copyright }: Part): Json {
  return {
    type: "library",
    name,
    licenses: licenses(license),
    copyright: copyright.join("; "),
    externalReferences: [{ type: "website", url }],
  };
}

/**
 * The text of a bill of materials in CycloneDX 1.6: the npm packages in the program, the runtimes that it is compiled
 * on, one for each target, and what those link. It has no time, and a serial number that follows from the rest.
 *
 * @throws {Error} Where a package is pinned by another digest than SHA-512.
 */
export function sbom(
  { version, packages, runtimes, parts }: {
    version: string;
    packages: readonly Package[];
    runtimes: readonly Pinned[];
    parts: RuntimeParts;
  },
): string {
  const own = `pkg:generic/nonzero@${version}`;
  const used = [
    ...packages.map((one) => npmComponent("library", one.name, one)),
    ...runtimes.map((one) => npmComponent("platform", one.package, { ...one, license: parts.license })),
  ];
  const engine = {
    type: "framework",
    "bom-ref": "runtime",
    name: parts.name,
    version: runtimes[0]?.version ?? "",
    licenses: licenses(parts.license),
    externalReferences: [{ type: "website", url: parts.url }],
    components: parts.components.map(linked),
  };
  const body = {
    version: 1,
    metadata: {
      component: {
        type: "application",
        "bom-ref": own,
        name: "nonzero",
        version,
        licenses: licenses("MIT"),
        purl: own,
      },
    },
    components: [...used, engine],
    dependencies: [
      { ref: own, dependsOn: used.map((one) => one["bom-ref"]) },
      ...runtimes.map((one) => ({ ref: packageUrl(one.package, one.version), dependsOn: ["runtime"] })),
    ],
  };
  const digest = createHash("sha256").update(JSON.stringify(body)).digest("hex");
  // A UUID of version 8: its maker says how it came about.
  const uuid = [
    digest.slice(0, 8),
    digest.slice(8, 12),
    `8${digest.slice(13, 16)}`,
    `8${digest.slice(17, 20)}`,
    digest.slice(20, 32),
  ].join("-");
  const document = {
    $schema: "http://cyclonedx.org/schema/bom-1.6.schema.json",
    bomFormat: "CycloneDX",
    specVersion: "1.6",
    serialNumber: `urn:uuid:${uuid}`,
    ...body,
  };
  return `${JSON.stringify(document, null, 2)}\n`;
}
