import { runCheck } from './program';

void runCheck(process.argv.slice(2), process).then((code) => (process.exitCode = code));
