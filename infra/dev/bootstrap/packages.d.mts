interface PackageList {
  packages: Record<string, { version?: string; integrity?: string; optional?: boolean }>;
}
export function installReason(
  wanted: PackageList,
  installed: PackageList | undefined,
  versionOnDisk: (path: string) => string | undefined,
): string | undefined;
