import { linkify } from './linkify.ts';

/** A text with its links, which open in a new tab without a referrer. */
export function RichText({ text }: { text: string }) {
  return linkify(text).map((part, at) =>
    part.href ? (
      <a key={at} href={part.href} target="_blank" rel="noopener noreferrer nofollow">
        {part.text}
      </a>
    ) : (
      part.text
    ),
  );
}
