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
import { withoutLayers } from './content/content-layers.ts';
import { isLayer, type IsVisible, layerLookup, namesLayers, readLayers } from './content/layers.ts';
import type { SourcePage, SourcePdf } from './source.ts';
import { nameOf, numbers, type Resolve } from './values.ts';

/**
 * Keys that are removed from every dictionary: actions and scripts, embedded and external files, structure
 * and metadata, layers, and links into the page tree.
 */
const FORBIDDEN = new Set(
  'A AA OpenAction JS JavaScript AF EF Metadata PieceInfo OC OCProperties StructParent StructParents Parent P Annots B Thumb Names Dests AcroForm F FFilter FDecodeParms OPI Ref LastModified'.split(
    ' ',
  ),
);

/** Dictionaries whose keys the author chose, so that /A is a glyph there, not an action. */
const NAME_MAPS = new Set(['CharProcs', 'Colorants']);

const IMAGE_KEYS =
  'Type Subtype Width Height ColorSpace BitsPerComponent Intent ImageMask Mask Decode Interpolate SMask SMaskInData Matte Filter DecodeParms'.split(
    ' ',
  );
const FORM_KEYS = 'Type Subtype FormType BBox Matrix Resources Group Filter DecodeParms'.split(' ');
const RESOURCE_KEYS = 'ExtGState ColorSpace Pattern Shading XObject Font ProcSet Properties'.split(' ');

/**
 * Copies only the objects that draw pages from one PDF into another. Dictionaries of known kinds keep a list
 * of allowed keys, all others lose the forbidden ones. Streams stay compressed, so that pictures and fonts
 * cost nothing, except content with layers.
 */
export class Copier {
  readonly resolve: Resolve;
  /** Returns true if an /OC entry leaves its owner visible. */
  readonly isVisible: IsVisible;
  /** True if content of a hidden layer was left out. */
  hasHidden = false;
  readonly #registry: PDF['context']['registry'];
  readonly #copied = new Map<string, PdfRef>();

  constructor(source: SourcePdf, target: PDF) {
    this.resolve = source.resolve;
    const isVisible = readLayers(source.pdf.getCatalog(), source.resolve);
    this.isVisible = (membership) => {
      const isShown = isVisible(membership);
      this.hasHidden ||= !isShown;
      return isShown;
    };
    this.#registry = target.context.registry;
  }

  /** Copies any value, sanitised; references are copied once and stay shared. */
  copy(value: PdfObject): PdfObject {
    if (value instanceof PdfRef) return this.#copyRef(value);
    if (value instanceof PdfStream) return this.#copyStream(value);
    if (value instanceof PdfDict) return this.#copyDict(value);
    if (value instanceof PdfArray) return new PdfArray(value.toArray().map((item) => this.copy(item)));
    return value;
  }

  #copyRef(ref: PdfRef): PdfObject {
    const key = `${ref.objectNumber} ${ref.generation}`;
    const known = this.#copied.get(key);
    if (known) return known;
    const value = this.resolve(ref);
    if (value === null) return PdfNull.instance;
    const type = value instanceof PdfDict ? nameOf(value, 'Type', this.resolve) : undefined;
    if (type === 'Page' || type === 'Pages' || type === 'Catalog') return PdfNull.instance;
    const mine = this.#registry.allocateRef(); // set before the content is copied: objects may refer to each other in cycles
    this.#copied.set(key, mine);
    this.#registry.registerAt(mine, this.copy(value));
    return mine;
  }

  #copyDict(dict: PdfDict): PdfDict {
    const clean = new PdfDict();
    for (const [key, value] of dict) {
      if (FORBIDDEN.has(key.value)) continue;
      if (key.value === 'Resources') clean.set('Resources', this.#copyResources(value));
      else clean.set(key.value, NAME_MAPS.has(key.value) ? this.#copyNames(value, dict) : this.copy(value));
    }
    return clean;
  }

  /** Copies a dictionary with free names; `owner` is the Type 3 font of its glyphs, which may have layers. */
  #copyNames(value: PdfObject, owner?: PdfDict): PdfObject {
    const names = value instanceof PdfRef ? this.resolve(value) : value;
    if (names instanceof PdfStream || !(names instanceof PdfDict)) return this.copy(value);
    const glyphs = owner && nameOf(owner, 'Subtype', this.resolve) === 'Type3' && owner.has('CharProcs');
    const clean = new PdfDict();
    for (const [key, item] of names) {
      const stream = glyphs && item instanceof PdfRef ? this.resolve(item) : undefined;
      clean.set(
        key.value,
        stream instanceof PdfStream && owner ? this.#copyGlyph(stream, owner) : this.copy(item),
      );
    }
    return clean;
  }

  #copyGlyph(stream: PdfStream, font: PdfDict): PdfObject {
    return this.#registry.register(
      this.#redrawn(
        stream,
        this.#allowed(stream, ['Filter', 'DecodeParms']),
        font.get('Resources', this.resolve),
      ),
    );
  }

  /** Copies the resources of a page, sanitised. */
  resources(value: PdfObject | undefined): PdfObject {
    return value ? this.#copyResources(value) : new PdfDict();
  }

  #copyResources(value: PdfObject): PdfObject {
    if (value instanceof PdfRef) {
      const target = this.resolve(value);
      if (!(target instanceof PdfDict)) return new PdfDict();
      const key = `resources ${value.objectNumber} ${value.generation}`;
      const known = this.#copied.get(key);
      if (known) return known;
      const mine = this.#registry.allocateRef();
      this.#copied.set(key, mine);
      this.#registry.registerAt(mine, this.#ownResources(target));
      return mine;
    }
    return value instanceof PdfDict ? this.#ownResources(value) : new PdfDict();
  }

  #ownResources(dict: PdfDict): PdfDict {
    const clean = new PdfDict();
    for (const category of RESOURCE_KEYS) {
      const value = dict.get(category, this.resolve);
      if (value === undefined) continue;
      if (category === 'Properties') {
        const kept = this.#keptProperties(value);
        if (kept.size > 0) clean.set(category, kept);
      } else if (category === 'Font') clean.set(category, this.#copyFonts(value));
      else clean.set(category, category === 'ProcSet' ? this.copy(value) : this.#copyNames(value));
    }
    return clean;
  }

  /**
   * Makes each font an object. Poppler reports a font written directly into the resources, though valid, as a
   * broken file ("xref num … not found").
   */
  #copyFonts(value: PdfObject): PdfObject {
    const fonts = this.#copyNames(value);
    if (!(fonts instanceof PdfDict)) return fonts;
    const own = new PdfDict();
    for (const [key, font] of fonts)
      own.set(key.value, font instanceof PdfDict ? this.#registry.register(font) : font);
    return own;
  }

  /** Keeps property lists that are not layers, but empty: they draw nothing. */
  #keptProperties(value: PdfObject): PdfDict {
    const kept = new PdfDict();
    if (value instanceof PdfDict) {
      for (const [key, item] of value) if (!isLayer(item, this.resolve)) kept.set(key.value, new PdfDict());
    }
    return kept;
  }

  #copyStream(stream: PdfStream): PdfObject {
    const subtype = nameOf(stream, 'Subtype', this.resolve);
    if (!this.isVisible(stream.get('OC')) || subtype === 'PS') return emptyForm();
    if (subtype === 'Image') return new PdfStream(this.#allowed(stream, IMAGE_KEYS), stream.data);
    if (subtype === 'Form')
      return this.#redrawn(stream, this.#allowed(stream, FORM_KEYS), stream.get('Resources', this.resolve));
    const clean = this.#copyDict(stream);
    if (stream.has('PatternType')) return this.#redrawn(stream, clean, stream.get('Resources', this.resolve));
    return new PdfStream(clean, stream.data);
  }

  #allowed(dict: PdfDict, keys: readonly string[]): PdfDict {
    const clean = new PdfDict();
    for (const key of keys) {
      const value = dict.get(key);
      if (value !== undefined)
        clean.set(key, key === 'Resources' ? this.#copyResources(value) : this.copy(value));
    }
    return clean;
  }

  /** Copies a stream that draws; rewrites its content if the resources name layers. */
  #redrawn(stream: PdfStream, dict: PdfDict, res: PdfObject | undefined): PdfStream {
    if (!namesLayers(res, this.resolve)) return new PdfStream(dict, stream.data);
    return compressed(dict, withoutLayers(stream.getDecodedData(), layerLookup(res, this)));
  }

  /** Returns the content streams of the page in order, as references where possible. */
  #contentParts(page: SourcePage): PdfObject[] {
    const value = page.dict.get('Contents');
    const target = this.#resolved(value);
    const parts = target instanceof PdfArray ? target.toArray() : value === undefined ? [] : [value];
    return parts.filter((part) => this.#resolved(part) instanceof PdfStream);
  }

  /** Returns the page's content as one stream of plain bytes. */
  contentBytes(page: SourcePage): Uint8Array {
    const streams = this.#contentParts(page)
      .map((part) => this.#resolved(part))
      .filter((part) => part instanceof PdfStream);
    const bytes = Buffer.concat(streams.flatMap((s) => [s.getDecodedData(), Buffer.from('\n')]));
    const res = this.#resolved(page.resources);
    return namesLayers(res, this.resolve) ? withoutLayers(bytes, layerLookup(res, this)) : bytes;
  }

  #resolved(value: PdfObject | undefined): PdfObject | undefined {
    return value instanceof PdfRef ? (this.resolve(value) ?? undefined) : value;
  }

  /** Returns the page's content without layers: references to streams, or one new stream if it had layers. */
  contents(page: SourcePage): PdfObject {
    if (namesLayers(this.#resolved(page.resources), this.resolve)) {
      return this.#registry.register(compressed(new PdfDict(), this.contentBytes(page)));
    }
    const parts = this.#contentParts(page).map((item) => this.copy(item));
    return parts.length === 1 && parts[0] ? parts[0] : new PdfArray(parts);
  }
}

/** Returns a stream with Flate-compressed content. */
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
