export const remoteTexts = {
  unreachable: 'This part of Karaar could not be loaded',
  unreachableHelp: 'Your data is safe. Check your connection and try again.',
  failed: 'This screen could not be shown',
  failedHelp: 'Something went wrong while it was drawn. Load the page again; nothing that you saved is lost.',
} as const;
