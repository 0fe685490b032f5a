import type { FastifyReply, FastifyRequest } from 'fastify';
import type { TObject } from 'typebox';
import type { RouteContract } from '@karaar/contracts/kit';
import { badRequest, invalid, unsupportedMedia, type Fault } from '@karaar/base/errors';
import { checker, type Checker } from '@karaar/base/schema';
import { fromTextObject } from '@karaar/base/schema';
import type { TextBag } from './bodies.ts';
import { fileFaults } from './file-rules.ts';
import { spoolForm, totalOf, type FileRules } from './spool.ts';
import type { SpooledFile } from '../types.ts';

export type Input = {
  params: unknown;
  query: unknown;
  body: unknown;
  form: { fields: unknown; files: Record<string, SpooledFile[]> } | undefined;
};
export type InputReader = (req: FastifyRequest, reply: FastifyReply) => Promise<Input>;

type BodyKind = 'none' | 'json' | 'urlencoded' | 'multipart';

function bodyKind(req: FastifyRequest): BodyKind {
  const type = (req.headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase() ?? '';
  if (type === 'multipart/form-data') return 'multipart';
  if (type === 'application/x-www-form-urlencoded') return 'urlencoded';
  return type === '' ? 'none' : 'json';
}

type TextPart = (bag: TextBag) => { value: unknown; faults: Fault[] };

/** An input part that arrives as strings (path, query): converted, then checked. */
function textPart(schema: TObject | undefined, rootName: string): TextPart {
  if (!schema) return () => ({ value: undefined, faults: [] });
  const check = checker(schema, rootName);
  return (bag) => {
    const checked = check(fromTextObject(schema, bag));
    return checked.ok ? { value: checked.value, faults: [] } : { value: undefined, faults: checked.faults };
  };
}

const NO_FILES: FileRules = {};

async function readBody(req: FastifyRequest, reply: FastifyReply, rules: FileRules, maxTotalBytes: number) {
  const kind = bodyKind(req);
  if (kind === 'multipart') {
    const { texts, files, faults } = await spoolForm(req, reply, rules, maxTotalBytes);
    return { texts, files, faults, json: undefined };
  }
  const files: Record<string, SpooledFile[]> = Object.fromEntries(
    Object.keys(rules).map((name) => [name, []]),
  );
  if (kind === 'urlencoded') return { texts: req.body as TextBag, files, faults: [], json: undefined };
  if (kind === 'none' && req.body !== undefined && req.body !== null) {
    throw unsupportedMedia('unsupported_media', 'Send JSON, a form or multipart form data.');
  }
  return { texts: undefined, files, faults: [], json: req.body ?? {} };
}

/**
 * Returns the input reader of a contract. It checks everything before it rejects, so that one response lists
 * all faults. A body may be JSON, urlencoded or multipart (spec §7), also if the contract has files: a
 * request that needs none, such as a rejection, may be JSON.
 */
export function inputReader(contract: RouteContract, maxTotalBytes?: number): InputReader {
  const readParams = textPart(contract.params, 'params');
  const readQuery = textPart(contract.query, 'query');
  const bodySchema = contract.multipart?.fields ?? contract.body;
  const checkBody: Checker<TObject> | undefined = bodySchema && checker(bodySchema);
  const rules = contract.multipart?.files ?? NO_FILES;
  const limit = Math.min(maxTotalBytes ?? Number.POSITIVE_INFINITY, totalOf(rules));

  return async (req, reply) => {
    const params = readParams(req.params as TextBag);
    const query = readQuery(req.query as TextBag);
    const faults = [...params.faults, ...query.faults];
    let value: unknown;
    let files: Record<string, SpooledFile[]> = {};
    if (bodySchema && checkBody) {
      const body = await readBody(req, reply, rules, limit);
      files = body.files;
      const checked = checkBody(body.texts ? fromTextObject(bodySchema, body.texts) : body.json);
      if (checked.ok) value = checked.value;
      else faults.push(...checked.faults);
      const known = new Set(body.faults.map((fault) => fault.loc));
      faults.push(...body.faults, ...fileFaults(files, rules).filter((fault) => !known.has(fault.loc)));
    } else if (bodyKind(req) === 'multipart') {
      // The route takes no body; unread bytes would stay in the connection.
      req.raw.resume();
    }
    if (faults.length > 0) throw invalid(faults);
    await req.server.fileScanner?.(Object.values(files).flat());
    const form = contract.multipart ? { fields: value, files } : undefined;
    return { params: params.value, query: query.value, body: form ? undefined : value, form };
  };
}

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,128}$/;

/** Returns the `Idempotency-Key` header. Throws 400 if it is not 1 to 128 printable characters. */
export function idempotencyKey(req: FastifyRequest): string | undefined {
  const key = req.headers['idempotency-key'];
  if (key === undefined) return undefined;
  if (typeof key !== 'string' || !IDEMPOTENCY_KEY.test(key)) {
    throw badRequest('bad_idempotency_key', 'Idempotency-Key must be 1 to 128 printable characters.');
  }
  return key;
}
