import { openApiDocument, type OpenApiDocument } from '@karaar/contracts/openapi-document';
import { breakingChanges } from './contract-changes.ts';

const document = openApiDocument();
const json = JSON.stringify(document);
/** Returns what breaks if this text in today's contracts is replaced. */
const changed = (from: string, to: string): string[] => {
  expect(json).toContain(from);
  return breakingChanges(document, JSON.parse(json.replace(from, to)) as OpenApiDocument);
};

it('accepts equal contracts, and a new field in a response', () => {
  expect(breakingChanges(document, document)).toEqual([]);
  expect(
    changed(
      '"resend_after_s":{"type":"integer"}',
      '"resend_after_s":{"type":"integer"},"more":{"type":"string"}',
    ),
  ).toEqual([]);
});

it('reports a removed route, a removed field, and a field with another type', () => {
  expect(changed('"/auth/invitations/prove":', '"/auth/invitations/show":')).toEqual([
    'POST /auth/invitations/prove is gone',
  ]);
  expect(changed('"resend_after_s":{"type":"integer"}', '"after_s":{"type":"integer"}')).toEqual([
    'POST /auth/invitations/send-code.200 application/json.resend_after_s is gone',
  ]);
  expect(changed('"resend_after_s":{"type":"integer"}', '"resend_after_s":{"type":"string"}')).toEqual([
    'POST /auth/invitations/send-code.200 application/json.resend_after_s: integer became string',
  ]);
});

it('reports a request field that became required, and a response field that became optional', () => {
  expect(changed('"required":["token"]', '"required":["token","language"]')).toEqual([
    'POST /auth/invitations/send-code.application/json.language became required',
  ]);
  expect(changed('"resend_after_s","challenge_id"]', '"challenge_id"]')).toEqual([
    'POST /auth/invitations/send-code.200 application/json.resend_after_s became optional',
  ]);
});

it('reports a request value that is no longer accepted', () => {
  expect(changed('"enum":["en","hi","ta","bn","mr","te"]', '"enum":["en","hi","ta","bn","mr"]')).toEqual([
    'POST /auth/invitations/send-code.application/json.language takes no te any more',
  ]);
});
