import { phonePath } from './phone-path.ts';

it('leads the phone to the computer’s screen, and is null if it has no address', () => {
  expect(phonePath('create', {})).toBeNull();
  expect(phonePath('create', { document_id: 'd' })).toBe('/document/create?draft=d&step=sign');
  expect(phonePath('join', { document_code: '7K3M9QXA' })).toBe('/join-document?code=7K3M9QXA');
  for (const purpose of ['accept', 'self-verify'] as const)
    expect(phonePath(purpose, { document_id: 'd' })).toBe('/document/d');
});
