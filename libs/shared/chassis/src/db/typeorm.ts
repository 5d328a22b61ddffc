/**
 * What classes of entities, and the conditions on them, need of TypeORM. Its index loads 300 modules more, its
 * drivers among them, which a process needs only once it reads or writes an entity (database.ts).
 */
export { Column } from 'typeorm/decorator/columns/Column';
export { PrimaryColumn } from 'typeorm/decorator/columns/PrimaryColumn';
export { Entity } from 'typeorm/decorator/entity/Entity';
export { In } from 'typeorm/find-options/operator/In';
export { IsNull } from 'typeorm/find-options/operator/IsNull';
export { Not } from 'typeorm/find-options/operator/Not';
export { getMetadataArgsStorage } from 'typeorm/globals';
