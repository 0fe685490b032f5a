/** First part of the query keys of loaded remotes. */
export const REMOTE_KEY = 'remote';
