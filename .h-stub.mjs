import { DuckDBInstance } from '@duckdb/node-api';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
const c = parse(readFileSync('schemalign.yaml','utf8'));
const url = c.connections.target.url;
if (process.argv[2]==='plan') process.exit(1);
const i = await DuckDBInstance.create(url); const k = await i.connect();
if (!process.env.STUB_BAD) await k.run('BEGIN');
await k.run("create table if not exists audit_schema_quarantine(run_id varchar)");
const run_id='r'+Math.random();
for (let n=0;n<4;n++) await k.run(`insert into audit_schema_quarantine values ('${run_id}')`);
await k.run("delete from amounts where id in (1,2,4)");
if (process.env.STUB_BAD) await new Promise(r=>setTimeout(r,150));
await k.run("insert into amounts values (1,'EU',11,'2024-01-03'),(2,'EU',20,'2024-01-01'),(4,'US',40,'2024-01-01')");
if (!process.env.STUB_BAD) await k.run('COMMIT'); k.closeSync(); i.closeSync();
const ex=(value,line)=>({value,line,masked:false,file:'x',record:1});
process.stdout.write(JSON.stringify({schema:'run-1',run_id,status:'finished',committed:true,counts:{read:9,loaded:3,quarantined:4,superseded:2},findings:[
 {name:'duplicate_key',path:'id,region',reason:null,severity:'warning',expected:null,actual:null,count:3,rows:6,files:[],examples:['1,EU','2,EU','5,EU'].map(v=>ex(v,null))},
 {name:'null_key',path:'region',reason:null,severity:'warning',expected:null,actual:null,count:2,rows:null,files:[],examples:[ex(null,6),ex(null,7)]}]}));
