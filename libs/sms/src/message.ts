export type TextMessage = {
  /** `+91` and ten digits. */
  to: string;
  /** The name of the text. Indian carriers deliver approved texts only, so MSG91 sends by template id. */
  template: string;
  variables: Readonly<Record<string, string>>;
  /** The complete text, which Twilio sends. */
  text: string;
  /**
   * True if a duplicate does no harm (a one-time code). Any other message is not sent again while the outcome
   * of the first attempt is unknown.
   */
  repeatable: boolean;
  /** The address to which the provider reports whether the text arrived; it contains the id of the text. */
  statusUrl?: string;
};

/**
 * Defines a message with its variables in one place, so that Twilio's text and MSG91's approved template stay
 * the same.
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
