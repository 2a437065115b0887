-- Roles of a PostgreSQL warehouse. Run it as the database's owner or a superuser, in the warehouse's own database; again
-- at any time, after a change here or after a schema was added. It sets no password: give each role its own afterwards
-- (`\password hotelmind_loader` in psql), or let pg_hba.conf say how it logs in.
--
--   hotelmind_loader   python -m loaders.gladly, loaders.operational: writes the stage and the ledger, and nothing else
--   hotelmind_dbt      dbt: reads the stage; makes and owns every other table
--   hotelmind_reader   reports and people: gold, and the state of the warehouse
--   hotelmind_keeper   python -m loaders.stage prune, loaders.status reject and replay, loaders.erase
--
-- With another `schema` in profiles.yml than hotelmind_warehouse, put that name and `_` before every schema below.

do $$
declare
    name text;
begin
    foreach name in array array['hotelmind_loader', 'hotelmind_dbt', 'hotelmind_reader', 'hotelmind_keeper'] loop
        if not exists (select from pg_roles where rolname = name) then
            execute format('create role %I login', name);
        end if;
        execute format('grant connect on database %I to %I', current_database(), name);
    end loop;
    -- dbt makes the schemas that the project has; the others make none.
    execute format('grant create on database %I to hotelmind_dbt', current_database());
    execute format('revoke connect, temporary on database %I from public', current_database());
    execute format('grant temporary on database %I to hotelmind_dbt', current_database());
end $$;

-- Only an owner may drop a stored batch, or vacuum what a person was erased from.
grant hotelmind_loader, hotelmind_dbt to hotelmind_keeper;

create schema if not exists stage authorization hotelmind_loader;
create schema if not exists hotelmind_warehouse authorization hotelmind_dbt;
create schema if not exists bronze authorization hotelmind_dbt;
create schema if not exists silver authorization hotelmind_dbt;
create schema if not exists gold authorization hotelmind_dbt;
create schema if not exists seeds authorization hotelmind_dbt;
create schema if not exists snapshots authorization hotelmind_dbt;

-- The stage: both write it, since dbt stores what it makes of nested deliveries; dbt reads it.
grant usage, create on schema stage to hotelmind_dbt;
grant select on all tables in schema stage to hotelmind_dbt;
alter default privileges for role hotelmind_loader in schema stage grant select on tables to hotelmind_dbt;

-- The state: whoever comes first makes its two tables; both write them.
grant usage, create on schema hotelmind_warehouse to hotelmind_loader;
grant select, insert, update on all tables in schema hotelmind_warehouse to hotelmind_loader, hotelmind_dbt;
alter default privileges for role hotelmind_loader in schema hotelmind_warehouse
    grant select, insert, update on tables to hotelmind_dbt;
alter default privileges for role hotelmind_dbt in schema hotelmind_warehouse
    grant select, insert, update on tables to hotelmind_loader;

-- Readers: gold, and how fresh it is.
grant usage on schema gold, hotelmind_warehouse to hotelmind_reader;
grant select on all tables in schema gold, hotelmind_warehouse to hotelmind_reader;
alter default privileges for role hotelmind_dbt in schema gold grant select on tables to hotelmind_reader;
alter default privileges for role hotelmind_dbt in schema hotelmind_warehouse grant select on tables to hotelmind_reader;
alter default privileges for role hotelmind_loader in schema hotelmind_warehouse
    grant select on tables to hotelmind_reader;
