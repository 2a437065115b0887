-- Roles of a Snowflake warehouse. Run it once with a role that may create roles, warehouses and databases (in most accounts
-- SYSADMIN for the objects and SECURITYADMIN for the rest; ACCOUNTADMIN may do both), and again after a change here:
-- every statement may be repeated. Written after Snowflake's documentation; it has been run on no account yet.
--
--   hotelmind_loader   python -m loaders.gladly, loaders.operational: writes the stage and the ledger, and nothing else
--   hotelmind_dbt      dbt: reads the stage; makes and owns every table
--   hotelmind_reader   reports and people: gold, and the state of the warehouse
--   hotelmind_keeper   python -m loaders.stage prune, loaders.status reject and replay
--
-- With another `schema` in profiles.yml than hotelmind_warehouse, put that name and `_` before every schema below.

create role if not exists hotelmind_loader;
create role if not exists hotelmind_dbt;
create role if not exists hotelmind_reader;
create role if not exists hotelmind_keeper;
grant role hotelmind_loader to role hotelmind_keeper;

-- One small warehouse for all; it sleeps after a minute. docs/snowflake.md says when a larger one is worth it.
create warehouse if not exists hotelmind
    warehouse_size = xsmall auto_suspend = 60 auto_resume = true initially_suspended = true
    statement_timeout_in_seconds = 7200;
grant usage on warehouse hotelmind to role hotelmind_loader;
grant usage on warehouse hotelmind to role hotelmind_dbt;
grant usage on warehouse hotelmind to role hotelmind_reader;

create database if not exists hotelmind;
grant usage on database hotelmind to role hotelmind_loader;
grant usage on database hotelmind to role hotelmind_reader;
-- dbt makes the schemas that the project has; the others make none.
grant usage, create schema on database hotelmind to role hotelmind_dbt;

create schema if not exists hotelmind.stage;
create schema if not exists hotelmind.hotelmind_warehouse;
grant ownership on schema hotelmind.stage to role hotelmind_dbt copy current grants;
grant ownership on schema hotelmind.hotelmind_warehouse to role hotelmind_dbt copy current grants;

-- The loader makes nothing: dbt has made stage and state before it comes (see below). READ is what LIST, GET and COPY
-- need of an internal stage, WRITE what PUT and REMOVE need.
grant usage on schema hotelmind.stage to role hotelmind_loader;
grant usage on schema hotelmind.hotelmind_warehouse to role hotelmind_loader;
grant read, write on future stages in schema hotelmind.stage to role hotelmind_loader;
grant select, insert, update on future tables in schema hotelmind.hotelmind_warehouse to role hotelmind_loader;

-- Readers: gold, and how fresh it is.
create schema if not exists hotelmind.gold;
grant ownership on schema hotelmind.gold to role hotelmind_dbt copy current grants;
grant usage on schema hotelmind.gold to role hotelmind_reader;
grant usage on schema hotelmind.hotelmind_warehouse to role hotelmind_reader;
grant select on future tables in schema hotelmind.gold to role hotelmind_reader;
grant select on future views in schema hotelmind.gold to role hotelmind_reader;
grant select on future tables in schema hotelmind.hotelmind_warehouse to role hotelmind_reader;

-- Users of their own for the machines. UTC and the default formats, whatever the account is set to; a lock that another
-- run left is an error after ten minutes, not after twelve hours; a statement whose client is gone ends.
create user if not exists hotelmind_loader
    type = service default_role = hotelmind_loader default_warehouse = hotelmind default_namespace = hotelmind
    timezone = 'UTC' timestamp_input_format = 'AUTO' lock_timeout = 600 abort_detached_query = true;
create user if not exists hotelmind_dbt
    type = service default_role = hotelmind_dbt default_warehouse = hotelmind default_namespace = hotelmind
    timezone = 'UTC' timestamp_input_format = 'AUTO' lock_timeout = 600 abort_detached_query = true;
grant role hotelmind_loader to user hotelmind_loader;
grant role hotelmind_dbt to user hotelmind_dbt;
-- Key pairs: openssl genrsa 2048 | openssl pkcs8 -topk8 -v2 aes256 -out loader.p8, and the public half of each:
-- alter user hotelmind_loader set rsa_public_key = 'MIIB...';
-- alter user hotelmind_dbt set rsa_public_key = 'MIIB...';

-- Once, as hotelmind_dbt and before any loader, in the project's folder:
--   dbt run-operation create_state_tables --target snowflake
