/** The manifests that the builds of the apps write (libs/web-build/src/build-manifest.mjs). */
import { Type, type Static, type TSchema } from 'typebox';

const fileAs = <As extends TSchema>(as: As) =>
  Type.Object({
    file: Type.String({ pattern: '^[\\w.-]+$' }),
    as,
    integrity: Type.Optional(Type.String({ pattern: '^sha256-[A-Za-z0-9+/=]+$' })),
  });
const File = fileAs(Type.Union([Type.Literal('script'), Type.Literal('style')]));
const Files = Type.Array(File);
/** By language. */
const Texts = Type.Record(Type.String(), Files);
/** `manifest.json` of a remote's build. */
export const RemoteManifest = Type.Object({
  /**
   * The first file that the federation runtime requests: `mf-manifest.json`, which names the entry and its
   * hash.
   */
  federation: fileAs(Type.Literal('fetch')),
  entry: File,
  common: Files,
  screens: Type.Record(Type.String(), Type.Object({ files: Files, texts: Texts })),
});
/** `manifest.json` of the shell's build. */
export const ShellManifest = Type.Object({ texts: Texts });
export type RemoteManifest = Static<typeof RemoteManifest>;
export type BuiltFile = Static<typeof File>;
export type Texts = Static<typeof Texts>;
