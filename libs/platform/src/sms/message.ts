/** A text for one phone. */
export type TextMessage = {
  /** `+91` and ten digits. */
  to: string;
  /** Which text it is. Indian carriers deliver approved texts only, so MSG91 sends by the template's id. */
  template: string;
  /** What the approved text has blanks for. */
  variables: Readonly<Record<string, string>>;
  /** The same, written out: what Twilio sends. */
  text: string;
  /**
   * True where a second arrival of the same text harms nobody (a one-time code). Any other text is never
   * sent again while it is not known whether the first went out.
   */
  repeatable: boolean;
};

/**
 * Names a text once, with its blanks, so that what Twilio sends and what MSG91 has approved stay one.
 * @param write the text, given its variables
 */
export function textTemplate<V extends Record<string, string>>(
  template: string,
  write: (variables: V) => string,
  options: { repeatable: boolean },
): (to: string, variables: V) => TextMessage {
  return (to, variables) => ({ to, template, variables, text: write(variables), ...options });
}
