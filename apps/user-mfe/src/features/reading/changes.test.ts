import { acknowledged, changeSince } from './changes.ts';

const before = { content_hash: 'pages', parties_hash: 'two people' };
const after = { content_hash: 'other pages', parties_hash: 'three people' };

it('asks about changed content and changed parties one after the other', () => {
  expect(changeSince(before, before, null)).toBeNull();
  expect(changeSince(before, after, null)).toBe('content');
  const read = acknowledged(before, after, 'content');
  expect(read).toEqual({ content_hash: 'other pages', parties_hash: 'two people' });
  expect(changeSince(read, after, null)).toBe('parties');
  expect(changeSince(acknowledged(read, after, 'parties'), after, null)).toBeNull();
});

it('shows changed content first, even if the server refused because of the parties', () => {
  expect(changeSince(before, after, 'parties')).toBe('content');
  expect(acknowledged(before, after, 'parties')).toEqual({
    content_hash: 'pages',
    parties_hash: 'three people',
  });
});

it('waits for a change that the server reported and the page does not show yet', () => {
  expect(changeSince(before, before, 'content')).toBe('content');
  expect(changeSince(before, before, 'parties')).toBe('parties');
});
