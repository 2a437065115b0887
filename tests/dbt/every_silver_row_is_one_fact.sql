-- Joins to seeds and hotels may neither lose nor multiply a row.
select 'contact' as fact, facts.contact_id as fact_id, silver.contact_id as silver_id
from {{ ref('fct_contacts') }} as facts
full outer join {{ ref('silver_contacts') }} as silver on facts.contact_id = silver.contact_id
where facts.contact_id is null or silver.contact_id is null

union all

select 'reservation' as fact, facts.reservation_id as fact_id, silver.reservation_id as silver_id
from {{ ref('fct_reservations') }} as facts
full outer join {{ ref('silver_reservations') }} as silver on facts.reservation_id = silver.reservation_id
where facts.reservation_id is null or silver.reservation_id is null
