import { endAll } from '../at-end';

export default endAll;
