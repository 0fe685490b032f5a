import { remoteConfig } from '../remote.mjs';

export default remoteConfig('admin', import.meta.dirname);
