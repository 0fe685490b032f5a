import { deflateSync } from 'node:zlib';
import {
  type PDF,
  PdfArray,
  PdfDict,
  PdfName,
  PdfNull,
  type PdfObject,
  PdfRef,
  PdfStream,
} from '@libpdf/core';
import { withoutLayers } from './content-layers.ts';
import { isLayer, readLayers } from './layers.ts';
import type { SourcePage, SourcePdf } from './source.ts';
import { nameOf, numbers, type Resolve } from './values.ts';

/**
 * Keys that never reach the final PDF, wherever they stand in a dictionary: actions and scripts, embedded
 * and external files, structure and metadata, layers, and links back into the page tree.
 */
const FORBIDDEN = new Set(
  'A AA OpenAction JS JavaScript AF EF Metadata PieceInfo OC OCProperties StructParent StructParents Parent P Annots B Thumb Names Dests AcroForm F FFilter FDecodeParms OPI Ref LastModified'.split(
    ' ',
  ),
);

/** Dictionaries whose keys are names that the author chose, so that an /A there is a glyph, not an action. */
const NAME_MAPS = new Set(['CharProcs', 'Colorants']);

const IMAGE_KEYS =
  'Type Subtype Width Height ColorSpace BitsPerComponent Intent ImageMask Mask Decode Interpolate SMask SMaskInData Matte Filter DecodeParms'.split(
    ' ',
  );
const FORM_KEYS = 'Type Subtype FormType BBox Matrix Resources Group Filter DecodeParms'.split(' ');
const RESOURCE_KEYS = 'ExtGState ColorSpace Pattern Shading XObject Font ProcSet Properties'.split(' ');

export interface Copier {
  resolve: Resolve;
  /** Whether an /OC entry leaves its owner shown. */
  isVisible(oc: PdfObject | undefined): boolean;
  /** Copy any value, sanitised; references are copied once and stay shared. */
  copy(value: PdfObject): PdfObject;
  /** A page's resources, sanitised. */
  resources(value: PdfObject | undefined): PdfObject;
  /** The page's content without layers: references to streams, or one new stream where it had layers. */
  contents(page: SourcePage): PdfObject;
  /** The page's content as one stream of plain bytes. */
  contentBytes(page: SourcePage): Uint8Array;
}

/**
 * Copies what draws pages from one PDF into another and nothing else. Dictionaries of known kinds are
 * copied by a list of allowed keys, all others without the forbidden ones. Streams are taken over as they
 * are compressed, so pictures and fonts cost nothing, except content that has layers.
 */
export function createCopier(source: SourcePdf, target: PDF): Copier {
  const { resolve } = source;
  const registry = target.context.registry;
  const isVisible = readLayers(source.pdf.getCatalog(), resolve);
  const copied = new Map<string, PdfRef>();

  function copy(value: PdfObject): PdfObject {
    if (value instanceof PdfRef) return copyRef(value);
    if (value instanceof PdfStream) return copyStream(value);
    if (value instanceof PdfDict) return copyDict(value);
    if (value instanceof PdfArray) return new PdfArray(value.toArray().map(copy));
    return value;
  }

  function copyRef(ref: PdfRef): PdfObject {
    const key = `${ref.objectNumber} ${ref.generation}`;
    const known = copied.get(key);
    if (known) return known;
    const value = resolve(ref);
    if (value === null) return PdfNull.instance;
    const type = value instanceof PdfDict ? nameOf(value, 'Type', resolve) : undefined;
    if (type === 'Page' || type === 'Pages' || type === 'Catalog') return PdfNull.instance;
    const mine = registry.allocateRef(); // before its content: objects may refer to each other in circles
    copied.set(key, mine);
    registry.registerAt(mine, copy(value));
    return mine;
  }

  function copyDict(dict: PdfDict): PdfDict {
    const clean = new PdfDict();
    for (const [key, value] of dict) {
      if (FORBIDDEN.has(key.value)) continue;
      if (key.value === 'Resources') clean.set('Resources', copyResources(value));
      else clean.set(key.value, NAME_MAPS.has(key.value) ? copyNames(value, dict) : copy(value));
    }
    return clean;
  }

  /** A dictionary of free names; `owner` matters for the glyphs of a Type 3 font, which may have layers. */
  function copyNames(value: PdfObject, owner?: PdfDict): PdfObject {
    const names = value instanceof PdfRef ? resolve(value) : value;
    if (names instanceof PdfStream || !(names instanceof PdfDict)) return copy(value);
    const glyphs = owner && nameOf(owner, 'Subtype', resolve) === 'Type3' && owner.has('CharProcs');
    const clean = new PdfDict();
    for (const [key, item] of names) {
      const stream = glyphs && item instanceof PdfRef ? resolve(item) : undefined;
      clean.set(key.value, stream instanceof PdfStream && owner ? copyGlyph(stream, owner) : copy(item));
    }
    return clean;
  }

  function copyGlyph(stream: PdfStream, font: PdfDict): PdfObject {
    return registry.register(
      redrawn(stream, allowed(stream, ['Filter', 'DecodeParms']), font.get('Resources', resolve)),
    );
  }

  function copyResources(value: PdfObject): PdfObject {
    if (value instanceof PdfRef) {
      const target = resolve(value);
      if (!(target instanceof PdfDict)) return new PdfDict();
      const key = `resources ${value.objectNumber} ${value.generation}`;
      const known = copied.get(key);
      if (known) return known;
      const mine = registry.allocateRef();
      copied.set(key, mine);
      registry.registerAt(mine, resources(target));
      return mine;
    }
    return value instanceof PdfDict ? resources(value) : new PdfDict();
  }

  function resources(dict: PdfDict): PdfDict {
    const clean = new PdfDict();
    for (const category of RESOURCE_KEYS) {
      const value = dict.get(category, resolve);
      if (value === undefined) continue;
      if (category === 'Properties') {
        const kept = keptProperties(value);
        if (kept.size > 0) clean.set(category, kept);
      } else if (category === 'Font') clean.set(category, copyFonts(value));
      else clean.set(category, category === 'ProcSet' ? copy(value) : copyNames(value));
    }
    return clean;
  }

  /**
   * Each font as an object of its own. One that stands in the page's resources is allowed as well, but Poppler invents a
   * number for it to list it by, misses that object, and takes the whole file for a broken one ("xref num … not found").
   */
  function copyFonts(value: PdfObject): PdfObject {
    const fonts = copyNames(value);
    if (!(fonts instanceof PdfDict)) return fonts;
    const own = new PdfDict();
    for (const [key, font] of fonts)
      own.set(key.value, font instanceof PdfDict ? registry.register(font) : font);
    return own;
  }

  /** Property lists that are not layers, each reduced to an empty one: nothing is drawn from them. */
  function keptProperties(value: PdfObject): PdfDict {
    const kept = new PdfDict();
    if (value instanceof PdfDict) {
      for (const [key, item] of value) if (!isLayer(item, resolve)) kept.set(key.value, new PdfDict());
    }
    return kept;
  }

  function copyStream(stream: PdfStream): PdfObject {
    const subtype = nameOf(stream, 'Subtype', resolve);
    if (!isVisible(stream.get('OC')) || subtype === 'PS') return emptyForm();
    if (subtype === 'Image') return new PdfStream(allowed(stream, IMAGE_KEYS), stream.data);
    if (subtype === 'Form')
      return redrawn(stream, allowed(stream, FORM_KEYS), stream.get('Resources', resolve));
    const clean = copyDict(stream);
    if (stream.has('PatternType')) return redrawn(stream, clean, stream.get('Resources', resolve));
    return new PdfStream(clean, stream.data);
  }

  function allowed(dict: PdfDict, keys: readonly string[]): PdfDict {
    const clean = new PdfDict();
    for (const key of keys) {
      const value = dict.get(key);
      if (value !== undefined) clean.set(key, key === 'Resources' ? copyResources(value) : copy(value));
    }
    return clean;
  }

  /** A stream that draws: its content is rewritten where the resources name layers. */
  function redrawn(stream: PdfStream, dict: PdfDict, res: PdfObject | undefined): PdfStream {
    if (!namesLayers(res)) return new PdfStream(dict, stream.data);
    return compressed(dict, withoutLayers(stream.getDecodedData(), layerLookup(res)));
  }

  function namesLayers(res: PdfObject | undefined): boolean {
    const properties = res instanceof PdfDict ? res.get('Properties', resolve) : undefined;
    return properties instanceof PdfDict && [...properties].some(([, value]) => isLayer(value, resolve));
  }

  function layerLookup(res: PdfObject | undefined) {
    const properties = res instanceof PdfDict ? res.get('Properties', resolve) : undefined;
    return (name: string): 'shown' | 'hidden' | 'none' => {
      const value = properties instanceof PdfDict ? properties.get(name) : undefined;
      if (!isLayer(value, resolve)) return 'none';
      return isVisible(value) ? 'shown' : 'hidden';
    };
  }

  /** The page's content streams in order, as references where they have one. */
  function contentParts(page: SourcePage): PdfObject[] {
    const value = page.dict.get('Contents');
    const target = resolved(value);
    const parts = target instanceof PdfArray ? target.toArray() : value === undefined ? [] : [value];
    return parts.filter((part) => resolved(part) instanceof PdfStream);
  }

  function contentBytes(page: SourcePage): Uint8Array {
    const streams = contentParts(page)
      .map(resolved)
      .filter((part) => part instanceof PdfStream);
    const bytes = Buffer.concat(streams.flatMap((s) => [s.getDecodedData(), Buffer.from('\n')]));
    const res = resolved(page.resources);
    return namesLayers(res) ? withoutLayers(bytes, layerLookup(res)) : bytes;
  }

  function resolved(value: PdfObject | undefined): PdfObject | undefined {
    return value instanceof PdfRef ? (resolve(value) ?? undefined) : value;
  }

  function contents(page: SourcePage): PdfObject {
    if (namesLayers(resolved(page.resources))) {
      return registry.register(compressed(new PdfDict(), contentBytes(page)));
    }
    const parts = contentParts(page).map(copy);
    return parts.length === 1 && parts[0] ? parts[0] : new PdfArray(parts);
  }

  return {
    resolve,
    isVisible,
    copy,
    resources: (value) => (value ? copyResources(value) : new PdfDict()),
    contents,
    contentBytes,
  };
}

/** A stream with Flate-compressed content. */
export function compressed(dict: PdfDict, bytes: Uint8Array): PdfStream {
  const stream = new PdfStream(dict, deflateSync(bytes));
  stream.delete('DecodeParms');
  stream.set('Filter', PdfName.of('FlateDecode'));
  return stream;
}

function emptyForm(): PdfStream {
  return PdfStream.fromDict(
    { Type: PdfName.of('XObject'), Subtype: PdfName.of('Form'), BBox: numbers(0, 0, 0, 0) },
    new Uint8Array(0),
  );
}
