/** First part of the query keys under which loaded remotes are kept. */
export const REMOTE_KEY = 'remote';
