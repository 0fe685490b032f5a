/** A text for one phone. */
export type TextMessage = {
  /** `+91` and ten digits. */
  to: string;
  /** Which text it is. Indian carriers deliver approved texts only, so MSG91 sends by the template's id. */
  template: string;
  /** The variables of the approved text. */
  variables: Readonly<Record<string, string>>;
  /** The complete text, which Twilio sends. */
  text: string;
  /**
   * True where a second copy of the message does no harm (a one-time code). Any other message is never sent again
   * while it is unknown whether the first was sent.
   */
  repeatable: boolean;
};

/**
 * Defines a message with its variables in one place, so that Twilio's text and MSG91's approved template stay the
 * same.
 *
 * @param write builds the text from its variables
 */
export function textTemplate<V extends Record<string, string>>(
  template: string,
  write: (variables: V) => string,
  options: { repeatable: boolean },
): (to: string, variables: V) => TextMessage {
  return (to, variables) => ({ to, template, variables, text: write(variables), ...options });
}
