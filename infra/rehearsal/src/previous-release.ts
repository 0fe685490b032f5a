/** The release that an installation has before this one: what the rehearsal begins with, and goes back to. */
export const PREVIOUS_RELEASE = 'f8d3fa74adc1';
