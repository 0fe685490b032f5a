import { openApiDocument, type OpenApiDocument } from '@karaar/contracts/openapi-document';
import { breakingChanges } from './contract-changes.ts';

const document = openApiDocument();
const json = JSON.stringify(document);
/** What breaks for callers of today's contracts when this text in them is replaced. */
const changed = (from: string, to: string): string[] => {
  expect(json).toContain(from);
  return breakingChanges(document, JSON.parse(json.replace(from, to)) as OpenApiDocument);
};

it('finds nothing between equal contracts, nor in a field that is added to an answer', () => {
  expect(breakingChanges(document, document)).toEqual([]);
  expect(
    changed(
      '"resend_after_s":{"type":"integer"}',
      '"resend_after_s":{"type":"integer"},"more":{"type":"string"}',
    ),
  ).toEqual([]);
});

it('names a route and a field that are gone, and a field with another type', () => {
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

it('names a field that became required in a request, and one that became optional in an answer', () => {
  expect(changed('"required":["token"]', '"required":["token","language"]')).toEqual([
    'POST /auth/invitations/send-code.application/json.language became required',
  ]);
  expect(changed('"required":["message","resend_after_s"]', '"required":["message"]')).toEqual([
    'POST /auth/invitations/send-code.200 application/json.resend_after_s became optional',
  ]);
});

it('names a value that a request takes no longer', () => {
  expect(changed('"enum":["en","hi","ta","bn","mr","te"]', '"enum":["en","hi","ta","bn","mr"]')).toEqual([
    'POST /auth/invitations/send-code.application/json.language takes no te any more',
  ]);
});
