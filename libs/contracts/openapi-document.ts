/**
 * The OpenAPI 3.1 description of everything the gateway serves, derived from the route contracts. TypeBox
 * schemas are JSON Schema, so they are used unchanged.
 */
import * as auth from './auth/http.ts';
import * as cms from './cms/http.ts';
import * as documents from './documents/http.ts';
import * as invitations from './documents/invitations.ts';
import * as log from './documents/log.ts';
import * as seal from './documents/seal.ts';
import * as verify from './documents/verify.ts';
import { ErrorBody, MessageBody, type FileRule, type MultipartRule, type RouteContract } from './kit.ts';
import * as messaging from './messaging/http.ts';
import * as notifications from './notifications/http.ts';
import * as payments from './payments/http.ts';
import { allRoutes, type ServiceRoute } from './services.ts';
import * as vision from './vision/http.ts';
import * as wallet from './wallet/http.ts';

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type OpenApiDocument = { [name: string]: Json };

const INTRODUCTION = [
  'Every call goes to `/api`. User and admin calls carry `Authorization: Bearer <token>`.',
  'Every error is `{detail, code}`: `detail` is a text, or a list of `{loc, msg}` when a value is not valid (422).',
].join(' ');

/** Errors that any route may return, in addition to those of its access. */
const COMMON_ERRORS: Readonly<Record<string, string>> = {
  422: 'A value is not valid',
  429: 'Too many requests; see `Retry-After`',
  503: 'A part of the product does not answer right now',
};

/** Schemas that a contract exports by name become components, looked up by identity. */
const exported: Readonly<Record<string, object>> = {
  ...auth,
  ...cms,
  ...documents,
  ...invitations,
  ...log,
  ...seal,
  ...verify,
  ...messaging,
  ...notifications,
  ...payments,
  ...vision,
  ...wallet,
  ErrorBody,
  MessageBody,
};
const components = new Map<object, string>(
  Object.entries(exported)
    .filter(([, value]) => isSchema(value))
    .map(([name, schema]) => [schema, name]),
);

/** Builds the document; deterministic. */
export function openApiDocument(routes: readonly ServiceRoute[] = allRoutes()): OpenApiDocument {
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) {
    const path = route.contract.path.replace(/:(\w+)/g, '{$1}');
    (paths[path] ??= {})[route.contract.method.toLowerCase()] = operation(route);
  }
  const schemas: Record<string, Json> = {};
  for (const [schema, name] of [...components].sort(([, a], [, b]) => a.localeCompare(b, 'en'))) {
    schemas[name] = inner(schema);
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Karaar', version: '1.0.0', description: INTRODUCTION },
    servers: [{ url: '/api' }],
    tags: [...new Set(routes.map(({ service }) => service))].map((name) => ({ name })),
    paths,
    components: {
      schemas,
      securitySchemes: {
        user: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'A signed-in user' },
        admin: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'A signed-in admin' },
      },
    },
  };
}

function operation({ service, name, contract }: ServiceRoute): Json {
  const parameters = [...parameterList('path', contract.params), ...parameterList('query', contract.query)];
  const body = requestBody(contract);
  return {
    operationId: `${service}.${name}`,
    tags: [service],
    summary: contract.summary,
    security: contract.access === 'public' ? [] : [{ [contract.access]: [] }],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(body === null ? {} : { requestBody: body }),
    responses: responses(contract),
  };
}

function parameterList(where: 'path' | 'query', schema: RouteContract['params']): Json[] {
  if (schema === undefined) return [];
  const required = new Set<string>(schema.required ?? []);
  return Object.entries(schema.properties).map(([name, property]) => ({
    name,
    in: where,
    required: where === 'path' || required.has(name),
    schema: plain(property),
  }));
}

function requestBody({ body, multipart }: RouteContract): Json {
  if (body !== undefined) return { required: true, content: { 'application/json': { schema: plain(body) } } };
  if (multipart === undefined) return null;
  return { required: true, content: { 'multipart/form-data': { schema: formSchema(multipart) } } };
}

function formSchema({ fields, files }: MultipartRule): Json {
  const required = [
    ...((fields.required ?? []) as string[]),
    ...Object.keys(files).filter((name) => files[name]?.required === true),
  ];
  const properties: Record<string, Json> = {};
  for (const [name, field] of Object.entries(fields.properties)) properties[name] = plain(field);
  for (const [name, file] of Object.entries(files)) properties[name] = fileSchema(file);
  return { type: 'object', ...(required.length > 0 ? { required } : {}), properties };
}

function fileSchema({ maxBytes, maxCount = 1, accept }: FileRule): Json {
  const description = `${accept.join(', ')}; at most ${maxBytes} bytes`;
  const one: Json = { type: 'string', format: 'binary', description };
  return maxCount === 1 ? one : { type: 'array', maxItems: maxCount, items: one };
}

function responses(contract: RouteContract): Json {
  const out: Record<string, Json> = {};
  for (const [status, schema] of Object.entries(contract.response)) {
    out[status] = {
      description: Number(status) === 202 ? 'Accepted, not finished yet' : 'Done',
      content:
        schema === 'binary'
          ? { 'application/octet-stream': { schema: { type: 'string', format: 'binary' } } }
          : { 'application/json': { schema: plain(schema) } },
    };
  }
  const errors: Record<string, string> = { ...COMMON_ERRORS };
  if (contract.access !== 'public') {
    errors['401'] = 'No token, or one that is not valid';
    errors['403'] = 'A valid token that does not allow this';
  }
  if (contract.params !== undefined)
    errors['404'] = 'There is no such thing, or the caller may not know of it';
  for (const [status, description] of Object.entries(errors)) {
    out[status] ??= { description, content: { 'application/json': { schema: plain(ErrorBody) } } };
  }
  return out;
}

/** Returns a schema as JSON: a reference if it has a name, else in full. */
function plain(schema: unknown): Json {
  if (typeof schema === 'object' && schema !== null) {
    const name = components.get(schema);
    if (name !== undefined) return { $ref: `#/components/schemas/${name}` };
  }
  return inner(schema);
}

function inner(value: unknown): Json {
  if (Array.isArray(value)) return value.map(plain);
  if (typeof value !== 'object' || value === null) return value as Json;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, one]) => one !== undefined)
      .map(([name, one]) => [name, plain(one)]),
  );
}

function isSchema(value: object): boolean {
  return '~kind' in value;
}
