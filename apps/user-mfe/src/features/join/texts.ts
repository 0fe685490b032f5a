export const joinTexts = {
  title: 'Join Document',
  lead: 'Enter the code that the creator gave you. You verify yourself, and the creator lets you in.',
  code: 'Document code',
  codeHint: '8 characters',
  examples: 'What a code looks like',
  how: 'How it works',
  steps: [
    'Ask the creator of the document for its code.',
    'Enter the code and verify yourself: face, eye and signature.',
    'Your request goes to the creator, who approves it.',
    'The document then stands on your dashboard.',
  ],
  submit: 'Join Document',
  orCreate: 'No code? Start your own agreement.',
  create: 'Create a document',
  codeMissing: 'Please enter a document code',
  joinFailed: 'Failed to join document',
} as const;

/** Shapes of codes for the eye; they belong to no document, as codes have no I, L, O or U. */
export const exampleCodes = ['LOOK1234', 'ILUO5678'] as const;
