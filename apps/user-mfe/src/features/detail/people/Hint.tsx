/** A note that begins with a masked number or address; an address too long for its line breaks after the @. */
export function Hint({ text }: { text: string }) {
  const domain = text.indexOf('@') + 1;
  return (
    <span>
      <span>{text.slice(0, domain)}</span>
      <wbr />
      <span>{text.slice(domain)}</span>
    </span>
  );
}
