/** Checks the Node version for the product. Plain JavaScript that also runs on Node 20. */

/** Returns null for Node 24.18 or newer of the same major version; otherwise the sentence with the requirement. */
export function wrongNode(version = process.version) {
  const [major, minor] = version.slice(1).split('.').map(Number)
  return major === 24 && minor >= 18 ? null : `Node 24.18 or newer of version 24 is required. This is ${version}.`
}
