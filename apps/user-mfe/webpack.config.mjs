import { remoteConfig } from '../remote.mjs';

export default remoteConfig('user', import.meta.dirname, { showsPdf: true });
