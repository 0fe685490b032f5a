import { remoteConfig } from '@karaar/web-build/remote';

export default remoteConfig('admin', import.meta.dirname);
