import { remoteConfig } from '@karaar/web-build/remote';

export default remoteConfig('user', import.meta.dirname, { showsPdf: true });
