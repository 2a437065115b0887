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

union all

select 'conversation' as fact, facts.conversation_id as fact_id, silver.conversation_id as silver_id
from {{ ref('fct_conversations') }} as facts
full outer join {{ ref('silver_conversations') }} as silver on facts.conversation_id = silver.conversation_id
where facts.conversation_id is null or silver.conversation_id is null

union all

select 'payment' as fact, facts.payment_id as fact_id, silver.payment_id as silver_id
from {{ ref('fct_payments') }} as facts
full outer join {{ ref('silver_payments') }} as silver on facts.payment_id = silver.payment_id
where facts.payment_id is null or silver.payment_id is null
